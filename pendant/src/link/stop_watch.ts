// SPDX-License-Identifier: BSD-3-Clause
/** A stop that nobody has heard of for so long is told of as not heard [ms]. */
export const kStopPatience_ms = 500;

export interface Hearing {
  /** False: nobody has said yes within the time, or all have said no. */
  isHeard: boolean;
  /** Comes when somebody says yes after all. */
  late: Promise<void>;
}

/** Waits for the first of several ways by which it shows that something was heard; one way that fails says nothing about the others. */
export async function heardWithin(ways: readonly Promise<unknown>[], patience_ms = kStopPatience_ms): Promise<Hearing> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const any = Promise.any(ways);
  const tooLong = new Promise<boolean>((done) => {
    timer = setTimeout(() => done(false), patience_ms);
  });
  const isHeard = await Promise.race([any.then(() => true, () => false), tooLong]);
  clearTimeout(timer);
  return { isHeard, late: any.then(() => undefined, () => new Promise<void>(() => undefined)) };
}
