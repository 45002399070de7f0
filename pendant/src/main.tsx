// SPDX-License-Identifier: BSD-3-Clause
import { render } from 'preact';
import { App } from './app';
import { guardDrops } from './frame/drop_guard';
import { listenToKeys } from './frame/keyboard';
import { enter, session } from './robot';
import { place } from './route';
import { theScene } from './scene/view';
import { followTheme } from './settings';
import './style/base.css';
import './style/frame.css';
import './style/pages.css';
import './style/streams.css';

followTheme();
listenToKeys();
guardDrops();
// the picture takes longest: it is begun before the page around it, once all that comes from the robot is asked for
const endWaiting = session.subscribe((who) => {
  if (!who?.user) return;
  endWaiting();
  if (place.value.page === 'move') setTimeout(() => void theScene(), 0);
});
void enter();
render(<App />, document.getElementById('pendant')!);
