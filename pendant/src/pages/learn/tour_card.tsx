// SPDX-License-Identifier: BSD-3-Clause
import { goTo, kPages, place } from '../../route';
import { tourSeen } from '../../settings';
import { signal, useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { Button } from '../../ui/parts';

/** The step of the tour that is shown, from 0; null: no tour. */
export const tourStep = signal<number | null>(null);

export function startTour(): void {
  showStep(0);
}

function showStep(step: number): void {
  const next = W.learn.steps[step];
  tourStep.value = next ? step : null;
  if (!next) tourSeen.value = true;
  else goTo(kPages.find((page) => page === next.page) ?? 'move');
}

/** A card beside the page: it covers nothing that it speaks of, and everything works while it is there. */
export function TourCard() {
  const step = useSignal(tourStep);
  const isSeen = useSignal(tourSeen);
  const page = useSelected(place, (where) => where.page);
  const now = step === null ? null : W.learn.steps[step];
  if (step === null || !now) {
    if (isSeen || page !== 'move') return null;
    return (
      <aside class="tour invite" aria-label={W.learn.tour}>
        <p>{W.learn.tourText}</p>
        <div class="row"><Button kind="main" onClick={startTour}>{W.learn.start}</Button><Button kind="quiet" onClick={() => (tourSeen.value = true)}>{W.learn.leave}</Button></div>
      </aside>
    );
  }
  return (
    <aside class="tour" aria-label={W.learn.tour} aria-live="polite">
      <span class="label">{W.learn.stepOf(step + 1, W.learn.steps.length)}</span>
      <h2>{now.title}</h2>
      <p>{now.text}</p>
      <div class="row">
        <Button disabled={step === 0} onClick={() => showStep(step - 1)}>{W.learn.back}</Button>
        <Button kind="main" onClick={() => showStep(step + 1)}>{step + 1 === W.learn.steps.length ? W.learn.done : W.learn.next}</Button>
        <Button kind="quiet" onClick={() => { tourStep.value = null; tourSeen.value = true; }}>{W.learn.leave}</Button>
      </div>
    </aside>
  );
}
