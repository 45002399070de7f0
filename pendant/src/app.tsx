// SPDX-License-Identifier: BSD-3-Clause
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Login } from './frame/login';
import { NoticesView } from './frame/notices_view';
import { HelpSheet } from './frame/screen_menu';
import { TopBar } from './frame/top_bar';
import { isShowable, isUnanswered, link, robot, session } from './robot';
import { goTo, kPages, place, type Page } from './route';
import { useSelected, useSignal } from './store';
import { W } from './text';
import { Icon } from './ui/icons';
import { MovePage } from './pages/move/move_page';
import { TourCard } from './pages/learn/tour_card';

/** Pages that are fetched when they are first opened. */
const kLater: Record<Exclude<Page, 'move'>, () => Promise<ComponentType>> = {
  program: async () => (await import('./pages/program/program_page')).ProgramPage,
  setup: async () => (await import('./pages/setup/setup_page')).SetupPage,
  status: async () => (await import('./pages/status/status_page')).StatusPage,
  learn: async () => (await import('./pages/learn/learn_page')).LearnPage,
};
const fetched: Partial<Record<Page, ComponentType>> = { move: MovePage };

function CurrentPage() {
  const page = useSelected(place, (now) => now.page);
  const [, redraw] = useState(0);
  useEffect(() => {
    if (page === 'move' || fetched[page]) return;
    void kLater[page]().then((code) => {
      fetched[page] = code;
      redraw((count) => count + 1);
    });
  }, [page]);
  const Shown = fetched[page];
  return (
    <main id="page" class={`page page-${page}`} data-page={page} tabIndex={-1}>
      <h1 class="unseen">{W.pages[page]}</h1>
      {Shown ? <Shown /> : <p class="waiting">{W.loading}</p>}
    </main>
  );
}

function Nav() {
  const page = useSelected(place, (now) => now.page);
  return (
    <nav class="rail" aria-label={W.nav}>
      {kPages.map((one) => (
        <a
          key={one}
          href={`#/${one}`}
          aria-current={one === page ? 'page' : undefined}
          onClick={(event) => {
            event.preventDefault();
            goTo(one);
          }}
        >
          <Icon name={one} size={28} />
          <span>{W.pages[one]}</span>
        </a>
      ))}
    </nav>
  );
}

export function App() {
  const who = useSignal(session);
  const mode = useSelected(robot, (info) => info?.mode ?? 'unknown');
  const isHeard = useSelected(link.state, (now) => now === 'open');
  const isSilent = useSignal(isUnanswered);
  const isKnown = useSignal(isShowable);
  if (who === null) return <p class="waiting" role="status">{isSilent ? W.state.whyOffline : ''}</p>;
  const isIn = who.user !== null;
  if (isIn && !isKnown) return null;

  return (
    <div class={`frame ${isHeard || !isIn ? '' : 'unheard'}`}>
      <a class="skip" href="#page" onClick={(event) => { event.preventDefault(); document.getElementById('page')?.focus(); }}>{W.skip}</a>
      <TopBar />
      <div class={`band ${mode}`} data-mode={mode} aria-hidden="true" />
      {isIn && <Nav />}
      {isIn ? <CurrentPage /> : <Login />}
      <NoticesView />
      <HelpSheet />
      {isIn && <TourCard />}
    </div>
  );
}
