// SPDX-License-Identifier: BSD-3-Clause
import { render } from 'preact';
import { App } from './app';
import { guardDrops } from './frame/drop_guard';
import { listenToKeys } from './frame/keyboard';
import { enter } from './robot';
import { followTheme } from './settings';
import './style/base.css';
import './style/frame.css';
import './style/pages.css';
import './style/streams.css';

followTheme();
listenToKeys();
guardDrops();
void enter();
render(<App />, document.getElementById('pendant')!);
