// SPDX-License-Identifier: BSD-3-Clause
// SI inside; degrees and millimetres, or radians and inches, where people read and type.

export type AngleUnit = 'deg' | 'rad';
export type LengthUnit = 'mm' | 'inch';
export interface Units {
  angle: AngleUnit;
  length: LengthUnit;
}
export const kShopFloor: Units = { angle: 'deg', length: 'mm' };

const kPerRadian: Record<AngleUnit, number> = { deg: 180 / Math.PI, rad: 1 };
const kPerMetre: Record<LengthUnit, number> = { mm: 1000, inch: 1 / 0.0254 };

export type Kind = 'angle' | 'length';

/** How many of the shown unit make one radian or metre. */
export function factor(kind: Kind, units: Units): number {
  return kind === 'angle' ? kPerRadian[units.angle] : kPerMetre[units.length];
}

/** "°", "mm": what stands behind the number. */
export function symbol(kind: Kind, units: Units): string {
  if (kind === 'angle') return units.angle === 'deg' ? '°' : 'rad';
  return units.length === 'mm' ? 'mm' : 'in';
}

/** Digits behind the point that are worth showing. */
export function digits(kind: Kind, units: Units): number {
  if (kind === 'angle') return units.angle === 'deg' ? 1 : 3;
  return units.length === 'mm' ? 1 : 3;
}

/** A number for people, with a true minus sign and without "-0". */
export function numberText(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return '–';
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}

/** "−12.5" for an angle [rad] or a length [m]. */
export function shown(kind: Kind, value: number, units: Units): string {
  return numberText(value * factor(kind, units), digits(kind, units));
}

/** "−12.5 °", "140.0 mm" */
export function shownWithUnit(kind: Kind, value: number, units: Units): string {
  return `${shown(kind, value, units)} ${symbol(kind, units)}`;
}

/** What somebody typed, as SI; a comma is a point, a true minus sign a minus. Nothing when it is no number. */
export function typed(kind: Kind, text: string, units: Units): number | null {
  const value = parseNumber(text);
  return value === null ? null : value / factor(kind, units);
}

/** A number that somebody typed. */
export function parseNumber(text: string): number | null {
  const clean = text.trim().replace('−', '-').replace(',', '.');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(clean)) return null;
  const value = Number(clean);
  return Number.isFinite(value) ? value : null;
}

/** "1 h 02 min", "3 min 20 s", "12.4 s" */
export function durationText(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return '–';
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(Math.floor(seconds % 60)).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
