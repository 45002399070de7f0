// SPDX-License-Identifier: BSD-3-Clause
// Colours and completion for the robot language, from the table of words that the language itself writes.
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { HighlightStyle, StreamLanguage, type StringStream } from '@codemirror/language';
import { tags } from '@lezer/highlight';
import words from '../../../../editor/words.json';
import { points, robot } from '../../robot';

const kKinds = new Map<string, string>();
const kTagOf: Record<string, string> = {
  motion: 'keyword', command: 'keyword', structure: 'controlKeyword', part: 'modifier', operator: 'operatorKeyword', constant: 'atom',
  function: 'function', source: 'function',
};
for (const [kind, tag] of Object.entries(kTagOf))
  for (const word of (words as unknown as Record<string, string[]>)[kind] ?? []) kKinds.set(word, tag);
const kSuffixes = words.suffix;

/** The colour of a word: moves carry endings such as _RPY. */
export function tagOfWord(word: string): string | null {
  const upper = word.toUpperCase();
  const plain = kKinds.get(upper);
  if (plain) return plain;
  const [stem, ...endings] = upper.split(/(?=_)/);
  const isMove = words.motion.includes(stem ?? '') && endings.every((ending) => kSuffixes.includes(ending));
  if (isMove) return 'keyword';
  return /^P\d+$/.test(upper) ? 'labelName' : null;
}

function token(stream: StringStream): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match('#')) {
    stream.skipToEnd();
    return 'comment';
  }
  if (stream.match(/^"[^"]*"?/)) return 'string';
  if (stream.match(/^\{[^}]*\}?/)) return 'special';
  if (stream.match(/^<\d+>/)) return 'labelName';
  if (stream.match(/^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/i)) return 'number';
  const word = stream.match(/^[A-Za-z_]\w*/);
  if (word && typeof word !== 'boolean') return tagOfWord(word[0] ?? '');
  if (stream.match(/^(==|!=|<>|<=|>=|[-+*/^=<>%])/)) return 'operator';
  stream.next();
  return null;
}

export const robotLanguage = StreamLanguage.define({
  name: 'sinew',
  token: (stream) => token(stream),
  languageData: { commentTokens: { line: '#' } },
  tokenTable: { special: tags.special(tags.string), function: tags.function(tags.variableName) },
});

export const robotColours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--touchable)', fontWeight: '600' },
  { tag: tags.controlKeyword, color: 'var(--target)', fontWeight: '600' },
  { tag: [tags.modifier, tags.operatorKeyword], color: 'var(--target)' },
  { tag: tags.function(tags.variableName), color: 'var(--busy)' },
  { tag: tags.special(tags.string), color: 'var(--good)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.number, color: 'var(--warn)' },
  { tag: tags.atom, color: 'var(--warn)' },
  { tag: tags.labelName, color: 'var(--ink-3)' },
  { tag: tags.comment, color: 'var(--ink-3)', fontStyle: 'italic' },
]);

const kWordOptions = Object.keys(kTagOf)
  .flatMap((kind) => ((words as unknown as Record<string, string[]>)[kind] ?? []).map((word) => ({ label: word, type: kind === 'function' ? 'function' : 'keyword' })))
  .concat(['MOVEL_RPY', 'MOVEJ_RPY'].map((label) => ({ label, type: 'keyword' })));

/** Names between { and }; words of the language elsewhere; variables that the text already has. */
export function complete(context: CompletionContext): CompletionResult | null {
  const name = context.matchBefore(/\{[^}]*/);
  if (name) {
    const all = [
      ...[...new Set((robot.value?.frames ?? []).map((frame) => frame.name))].map((label) => ({ label, type: 'namespace', detail: 'frame' })),
      ...['B', 'F', 'T', 'U'].map((label) => ({ label, type: 'namespace' })),
    ];
    return { from: name.from + 1, options: all, validFor: /^[^}]*$/ };
  }
  const word = context.matchBefore(/[A-Za-z_]\w*/);
  if (!word || (word.from === word.to && !context.explicit)) return null;
  const line = context.state.doc.lineAt(context.pos);
  if (line.text.slice(0, word.from - line.from).includes('#')) return null;
  const variables = [...context.state.doc.toString().matchAll(/^\s*(?:FOR\s+)?([A-Za-z_]\w*)\s*=/gim)].map((match) => match[1] ?? '');
  const taught = points.value.points.map((point) => ({ label: point.name, type: 'constant', detail: 'point' }));
  const options = [...kWordOptions, ...taught, ...[...new Set(variables)].map((label) => ({ label, type: 'variable' }))];
  return { from: word.from, options, validFor: /^\w*$/ };
}
