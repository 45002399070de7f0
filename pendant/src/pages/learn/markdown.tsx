// SPDX-License-Identifier: BSD-3-Clause
// As much Markdown as the texts of the labs use: headings, paragraphs, lists, tables, code, emphasis. Nothing becomes HTML
// but what is built here.
import type { ComponentChildren } from 'preact';

export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'list'; isOrdered: boolean; items: string[] }
  | { kind: 'code'; text: string }
  | { kind: 'table'; rows: string[][] };

const kItem = /^\s*([-*]|\d+\.)\s+/;

export function blocksOf(markdown: string): Block[] {
  const lines = markdown.replace(/\r/g, '').split('\n');
  const blocks: Block[] = [];
  for (let i = 0; i < lines.length; ) i = readBlock(lines, i, blocks);
  return blocks;
}

function readBlock(lines: string[], start: number, blocks: Block[]): number {
  const line = lines[start] ?? '';
  if (line.trim() === '') return start + 1;
  if (line.startsWith('```')) return readCode(lines, start, blocks);
  const heading = /^(#+)\s+(.*)$/.exec(line);
  if (heading) {
    blocks.push({ kind: 'heading', level: heading[1]!.length, text: heading[2]! });
    return start + 1;
  }
  if (line.startsWith('|')) return readTable(lines, start, blocks);
  return readWords(lines, start, blocks);
}

function readCode(lines: string[], start: number, blocks: Block[]): number {
  let end = start + 1;
  while (end < lines.length && !lines[end]!.startsWith('```')) end += 1;
  blocks.push({ kind: 'code', text: lines.slice(start + 1, end).join('\n') });
  return end + 1;
}

function readTable(lines: string[], start: number, blocks: Block[]): number {
  let end = start;
  while (end < lines.length && lines[end]!.startsWith('|')) end += 1;
  const rows = lines.slice(start, end).map((row) => row.replace(/^\||\|\s*$/g, '').split('|').map((cell) => cell.trim()));
  blocks.push({ kind: 'table', rows: rows.filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell))) });
  return end;
}

function readWords(lines: string[], start: number, blocks: Block[]): number {
  const isList = kItem.test(lines[start]!);
  const items: string[] = [];
  let end = start;
  for (; end < lines.length && lines[end]!.trim() !== ''; end += 1) {
    const line = lines[end]!;
    const isItem = kItem.test(line);
    // the first line belongs here whatever it looks like, so that every turn gets on
    if (end > start && (/^(```|#|\|)/.test(line) || (isItem && !isList))) break;
    if (isItem || items.length === 0) items.push(line.replace(kItem, '').trim());
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  if (isList) blocks.push({ kind: 'list', isOrdered: /^\s*\d/.test(lines[start]!), items });
  else blocks.push({ kind: 'text', text: items.join(' ') });
  return end;
}

/** `code`, **strong**, *emphasis*; of [links](elsewhere) the words. */
function inline(text: string): ComponentChildren[] {
  const parts = text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/);
  return parts.map((part, i) => {
    if (part.startsWith('`') && part.length > 2) return <code key={i}>{part.slice(1, -1)}</code>;
    if (part.startsWith('**')) return <strong key={i}>{part.slice(2, -2)}</strong>;
    if (part.startsWith('*') && part.length > 2) return <em key={i}>{part.slice(1, -1)}</em>;
    return part;
  });
}

export function Markdown({ text }: { text: string }) {
  return <div class="markdown">{blocksOf(text).map((block, i) => <BlockView key={i} block={block} />)}</div>;
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading':
      return block.level <= 1 ? <h2>{inline(block.text)}</h2> : <h3>{inline(block.text)}</h3>;
    case 'text':
      return <p>{inline(block.text)}</p>;
    case 'code':
      return <pre class="code" tabIndex={0}>{block.text}</pre>;
    case 'list': {
      const items = block.items.map((item, i) => <li key={i}>{inline(item)}</li>);
      return block.isOrdered ? <ol>{items}</ol> : <ul class="dots">{items}</ul>;
    }
    case 'table':
      return (
        <div class="table-scroll">
          <table class="plain">
            <thead><tr>{block.rows[0]?.map((cell, i) => <th scope="col" key={i}>{inline(cell)}</th>)}</tr></thead>
            <tbody>{block.rows.slice(1).map((row, i) => <tr key={i}>{row.map((cell, k) => <td key={k}>{inline(cell)}</td>)}</tr>)}</tbody>
          </table>
        </div>
      );
  }
}
