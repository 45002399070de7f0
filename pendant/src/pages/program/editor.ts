// SPDX-License-Identifier: BSD-3-Clause
// The text of a program: CodeMirror with findings in the margin, breakpoints, and the line that runs.
import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyField, historyKeymap, indentWithTab, isolateHistory, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import { indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState, RangeSet, StateEffect, StateField, type Extension, type Text } from '@codemirror/state';
import {
  Decoration, drawSelection, EditorView, gutter, GutterMarker, highlightActiveLine, keymap, lineNumbers, type DecorationSet,
} from '@codemirror/view';
import type { Finding } from '../../link/protocol';
import { W } from '../../text';
import { difference, movedMarks } from './line_marks';
import { complete, robotColours, robotLanguage } from './robot_language';

export interface EditorEvents {
  changed: (text: string) => void;
  cursor: (line: number) => void;
  breakpoints: (lines: number[]) => void;
  save: () => void;
  history: (undo: number, redo: number) => void;
}

const setRunning = StateEffect.define<number>();
const toggleBreakpoint = StateEffect.define<number>();
const setBreakpoints = StateEffect.define<number[]>();

const runningLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects)
      if (effect.is(setRunning)) {
        const line = effect.value;
        const isThere = line >= 1 && line <= transaction.state.doc.lines;
        next = isThere ? Decoration.set([Decoration.line({ class: 'cm-running' }).range(transaction.state.doc.line(line).from)]) : Decoration.none;
      }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

class Dot extends GutterMarker {
  override toDOM(): Node {
    const dot = document.createElement('span');
    dot.className = 'cm-dot';
    return dot;
  }
}
const kDot = new Dot();

/** Dots before these lines; those that the text does not have are left out. */
function dotsAt(lines: readonly number[], doc: Text): RangeSet<GutterMarker> {
  const there = [...new Set(lines)].filter((line) => line >= 1 && line <= doc.lines).sort((a, b) => a - b);
  return RangeSet.of(there.map((line) => kDot.range(doc.line(line).from)));
}

const breakpoints = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(marks, transaction) {
    // what is undone or done again may be a whole part of the text, with lines that stay
    const isStep = transaction.isUserEvent('undo') || transaction.isUserEvent('redo');
    const { doc } = transaction.startState;
    let next = isStep ? dotsAt(movedMarks(doc.toString(), transaction.newDoc.toString(), linesOf(marks, doc)), transaction.newDoc) : marks.map(transaction.changes);
    for (const effect of transaction.effects)
      if (effect.is(setBreakpoints)) next = dotsAt(effect.value, transaction.state.doc);
      else if (effect.is(toggleBreakpoint)) {
        const at = effect.value;
        let isSet = false;
        next.between(at, at, () => {
          isSet = true;
        });
        next = isSet ? next.update({ filter: (from) => from !== at }) : next.update({ add: [kDot.range(at)], sort: true });
      }
    return next;
  },
});

function linesOf(marks: RangeSet<GutterMarker>, doc: Text): number[] {
  const lines = new Set<number>();
  for (const cursor = marks.iter(); cursor.value; cursor.next()) lines.add(doc.lineAt(cursor.from).number);
  return [...lines];
}

const breakpointGutter = gutter({
  class: 'cm-breakpoints',
  markers: (view) => view.state.field(breakpoints),
  initialSpacer: () => kDot,
  domEventHandlers: {
    mousedown(view, line) {
      view.dispatch({ effects: toggleBreakpoint.of(line.from) });
      return true;
    },
  },
});

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '16px', backgroundColor: 'var(--raised)', color: 'var(--ink)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.65' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '10px 0' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--ink-3)', border: '0', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--touchable) 7%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '&.cm-focused .cm-cursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { backgroundColor: 'color-mix(in srgb, var(--touchable) 25%, transparent)' },
});

/** Text, place and changes of programs that were open, so that undo goes on where it was; the newest last. */
const left = new Map<string, unknown>();
const kMostLeft = 20;

export interface Opened {
  name: string;
  text: string;
  breakpoints: readonly number[];
  mayEdit: boolean;
}

export class ProgramEditor {
  readonly view: EditorView;
  private name: string | null = null;

  constructor(parent: HTMLElement, private readonly events: EditorEvents) {
    this.view = new EditorView({ parent, state: EditorState.create({ doc: '', extensions: this.extensions(true) }) });
  }

  /** Another program; when it was open before, what was done to it then can be undone. */
  open({ name, text, breakpoints: lines, mayEdit }: Opened): void {
    this.leave();
    this.name = name;
    const extensions = this.extensions(mayEdit);
    const known = left.get(name);
    this.view.setState(known === undefined ? EditorState.create({ doc: text, extensions }) : EditorState.fromJSON(known, { extensions }, { history: historyField }));
    // somebody may have changed it meanwhile
    this.change(text, lines);
    this.events.history(undoDepth(this.view.state), redoDepth(this.view.state));
  }

  /** Changes the text as somebody who types would: undo takes it back. Breakpoints go with their lines. */
  replace(text: string, line?: number): void {
    const { state } = this.view;
    this.change(text, movedMarks(state.doc.toString(), text, linesOf(state.field(breakpoints), state.doc)));
    if (line !== undefined) this.goTo(line);
  }

  /** Changes what is different, and where the breakpoints are. */
  change(text: string, lines: readonly number[]): void {
    const now = this.view.state.doc.toString();
    const changes = now === text ? undefined : difference(now, text);
    this.view.dispatch({ changes, effects: setBreakpoints.of([...lines]), annotations: isolateHistory.of('full') });
  }

  private leave(): void {
    if (this.name === null) return;
    left.delete(this.name);
    left.set(this.name, this.view.state.toJSON({ history: historyField }));
    for (const oldest of left.keys()) if (left.size > kMostLeft) left.delete(oldest);
  }

  goTo(line: number): void {
    const { doc } = this.view.state;
    const at = doc.line(Math.min(Math.max(1, line), doc.lines));
    this.view.dispatch({ selection: { anchor: at.from }, effects: EditorView.scrollIntoView(at.from, { y: 'center' }) });
  }

  setFindings(findings: Finding[]): void {
    this.view.dispatch(setDiagnostics(this.view.state, findings.map((finding) => diagnosticOf(finding, this.view.state.doc))));
  }

  /** Marks the line that runs; zero: none. */
  setRunning(line: number, follow: boolean): void {
    const { doc } = this.view.state;
    const effects: StateEffect<unknown>[] = [setRunning.of(line)];
    if (follow && line >= 1 && line <= doc.lines) effects.push(EditorView.scrollIntoView(doc.line(line).from, { y: 'nearest', yMargin: 60 }));
    this.view.dispatch({ effects });
  }

  undo = () => void undo(this.view);
  redo = () => void redo(this.view);

  destroy(): void {
    this.leave();
    this.view.destroy();
  }

  private extensions(mayEdit: boolean): Extension {
    const save = { key: 'Mod-s', preventDefault: true, run: () => { this.events.save(); return true; } };
    const toggle = (view: EditorView) => {
      view.dispatch({ effects: toggleBreakpoint.of(view.state.doc.lineAt(view.state.selection.main.head).from) });
      return true;
    };
    return [
      lineNumbers(), breakpoints, breakpointGutter, lintGutter(), runningLine, history(), drawSelection(), highlightActiveLine(),
      robotLanguage, syntaxHighlighting(robotColours), indentUnit.of('  '), autocompletion({ override: [complete], icons: false }),
      keymap.of([save, { key: 'F9', preventDefault: true, run: toggle }, ...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ 'aria-label': W.pages.program, spellcheck: 'false', autocapitalize: 'off' }),
      EditorState.readOnly.of(!mayEdit), look, EditorView.lineWrapping,
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.events.changed(update.state.doc.toString());
        if (update.docChanged || update.selectionSet) this.events.cursor(update.state.doc.lineAt(update.state.selection.main.head).number);
        if (update.docChanged) this.events.history(undoDepth(update.state), redoDepth(update.state));
        const marks = update.state.field(breakpoints);
        if (marks !== update.startState.field(breakpoints)) this.events.breakpoints(linesOf(marks, update.state.doc));
      }),
    ];
  }
}

function diagnosticOf(finding: Finding, doc: Text): Diagnostic {
  const line = doc.line(Math.min(Math.max(1, finding.line), doc.lines));
  const from = Math.min(line.to, line.from + Math.max(0, finding.column - 1));
  const to = finding.end_column === null ? line.to : Math.min(line.to, line.from + Math.max(0, finding.end_column - 1));
  return { from, to: Math.max(from, to), severity: finding.severity === 'note' ? 'info' : finding.severity, message: finding.message };
}

