// SPDX-License-Identifier: BSD-3-Clause
/** How long to wait before trying again [ms]: soon at first, never more than five seconds, not all clients at once. */
export function retryDelay_ms(attempt: number, random: number): number {
  const whole = Math.min(5000, 250 * 2 ** Math.min(attempt, 10));
  return whole * (0.75 + 0.5 * random);
}
