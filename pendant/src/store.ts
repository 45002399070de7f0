// SPDX-License-Identifier: BSD-3-Clause
import { useEffect, useReducer, useRef } from 'preact/hooks';

/** A value that tells who listens when it changes. */
export class Signal<T> {
  private readonly listeners = new Set<(value: T) => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set value(next: T) {
    if (Object.is(next, this.current)) return;
    this.current = next;
    for (const listener of [...this.listeners]) listener(next);
  }

  /** Calls `listener` at each change, until the function that comes back is called. */
  subscribe(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

export function signal<T>(value: T): Signal<T> {
  return new Signal(value);
}

/** The part of a signal that `pick` takes; the component is drawn again only when that part changes. */
export function useSelected<T, U>(source: Signal<T>, pick: (value: T) => U): U {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const pickNow = useRef(pick);
  pickNow.current = pick;
  const shown = useRef(pick(source.value));
  shown.current = pick(source.value);
  useEffect(() => {
    const look = () => {
      const next = pickNow.current(source.value);
      if (same(next, shown.current)) return;
      shown.current = next;
      redraw(0);
    };
    look();
    return source.subscribe(look);
  }, [source]);
  return shown.current;
}

export function useSignal<T>(source: Signal<T>): T {
  return useSelected(source, (value) => value);
}

/** Equal values, or arrays of equal values. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((value, i) => Object.is(value, b[i]));
}
