// SPDX-License-Identifier: BSD-3-Clause
// The small parts that every page is made of.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Live } from '../link/protocol';
import { live } from '../robot';
import { units } from '../settings';
import { useSignal } from '../store';
import { W } from '../text';
import { digits, factor, numberText, symbol, typed, type Kind } from '../units';
import { Icon, type IconName } from './icons';

export interface ButtonProps {
  children?: ComponentChildren;
  icon?: IconName;
  label?: string;
  kind?: 'plain' | 'main' | 'go' | 'danger' | 'quiet';
  size?: 'normal' | 'large' | 'small';
  disabled?: boolean;
  pressed?: boolean;
  title?: string;
  class?: string;
  submit?: boolean;
  onClick?: () => void;
}

export function Button(props: ButtonProps) {
  return (
    <button
      type={props.submit ? 'submit' : 'button'}
      class={`key ${props.kind ?? 'plain'} ${props.size ?? 'normal'} ${props.class ?? ''}`}
      aria-label={props.label}
      aria-pressed={props.pressed}
      title={props.title ?? props.label}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      {props.icon && <Icon name={props.icon} />}
      {props.children !== undefined && <span class="cap">{props.children}</span>}
    </button>
  );
}

export interface Choice<T extends string> {
  value: T;
  label: ComponentChildren;
  name?: string;
  disabled?: boolean;
}

/** One of a few, side by side. */
export function Segmented<T extends string>(props: {
  name: string;
  choices: Choice<T>[];
  value: T;
  onChange: (value: T) => void;
  class?: string;
}) {
  const group = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowUp' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const usable = props.choices.filter((choice) => !choice.disabled);
    const at = usable.findIndex((choice) => choice.value === props.value);
    const next = usable[(at + by + usable.length) % usable.length];
    if (!next) return;
    props.onChange(next.value);
    requestAnimationFrame(() => group.current?.querySelector<HTMLElement>('[aria-checked=true]')?.focus());
  };
  return (
    <div class={`segmented ${props.class ?? ''}`} role="radiogroup" aria-label={props.name} ref={group} onKeyDown={onKeyDown}>
      {props.choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === props.value}
          aria-label={choice.name}
          disabled={choice.disabled}
          tabIndex={choice.value === props.value ? 0 : -1}
          onClick={() => props.onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}

/** A number in the units of this screen; `value` and `onChange` are SI. An empty or odd text keeps the last number. */
export function NumberField(props: {
  label: string;
  kind: Kind | 'plain';
  value: number;
  onChange: (value: number) => void;
  hideLabel?: boolean;
  lower?: number;
  upper?: number;
  decimals?: number;
  disabled?: boolean;
}) {
  const inUse = useSignal(units);
  const id = useId();
  const scale = props.kind === 'plain' ? 1 : factor(props.kind, inUse);
  const decimals = props.decimals ?? (props.kind === 'plain' ? 2 : digits(props.kind, inUse));
  const text = numberText(props.value * scale, decimals);
  const [draft, setDraft] = useState<string | null>(null);
  const parsed = draft === null ? props.value : props.kind === 'plain' ? typed('angle', draft, { angle: 'rad', length: 'mm' }) : typed(props.kind, draft, inUse);
  const isOdd = parsed === null || (props.lower !== undefined && parsed < props.lower) || (props.upper !== undefined && parsed > props.upper);
  const commit = () => {
    if (draft !== null && parsed !== null && !isOdd) props.onChange(parsed);
    setDraft(null);
  };
  return (
    <label class={`field ${isOdd ? 'odd' : ''}`} for={id}>
      <span class={props.hideLabel ? 'unseen' : 'field-name'}>{props.label}</span>
      <span class="field-box">
        <input
          id={id}
          inputMode="decimal"
          value={draft ?? text}
          aria-invalid={isOdd}
          disabled={props.disabled}
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => {
            setDraft(event.currentTarget.value);
          }}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit();
          }}
        />
        {props.kind !== 'plain' && <span class="unit">{symbol(props.kind, inUse)}</span>}
      </span>
    </label>
  );
}

export function TextField(props: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  type?: 'text' | 'password';
  autoComplete?: string;
  autoFocus?: boolean;
  placeholder?: string;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (props.autoFocus) input.current?.focus();
  }, []);
  return (
    <label class="field" for={id}>
      <span class="field-name">{props.label}</span>
      <span class="field-box">
        <input
          id={id}
          ref={input}
          type={props.type ?? 'text'}
          value={props.value}
          placeholder={props.placeholder}
          autocomplete={props.autoComplete ?? 'off'}
          spellcheck={false}
          onInput={(event) => props.onChange(event.currentTarget.value)}
        />
      </span>
    </label>
  );
}

const kFocusable = 'button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea, a[href], [tabindex="0"]';

/** Keeps the Tab key inside a sheet. */
function keepFocus(event: KeyboardEvent, sheet: HTMLElement): void {
  if (event.key !== 'Tab') return;
  const all = [...sheet.querySelectorAll<HTMLElement>(kFocusable)];
  const [first, last] = [all[0], all[all.length - 1]];
  const isAtEnd = event.shiftKey ? document.activeElement === first : document.activeElement === last;
  if (!isAtEnd && sheet.contains(document.activeElement)) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}

/** A sheet over the page; the page waits until it is answered, but STOP and what stands beside it stay in reach. */
export function Dialog(props: { title: string; children: ComponentChildren; onClose: () => void; wide?: boolean }) {
  const sheet = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const before = document.activeElement;
    if (!sheet.current?.contains(before)) sheet.current?.querySelector<HTMLElement>('input, footer button, button')?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <div
      class="veil"
      onClick={(event) => {
        if (event.target === event.currentTarget) props.onClose();
      }}
    >
      <div
        ref={sheet}
        class={`sheet ${props.wide ? 'wide' : ''}`}
        role="dialog"
        aria-modal="true"
        aria-labelledby={id}
        onKeyDown={(event) => {
          if (event.key === 'Escape') props.onClose();
          else keepFocus(event, event.currentTarget);
        }}
      >
        <header>
          <h2 id={id}>{props.title}</h2>
          <Button kind="quiet" icon="close" label={W.close} onClick={props.onClose} />
        </header>
        {props.children}
      </div>
    </div>
  );
}

export interface Question {
  title: string;
  text: string;
  yes: string;
  isDangerous?: boolean;
  act: () => void;
}

/** Asks before something that cannot be taken back, or that somebody else will feel. */
export function Ask({ question, onDone }: { question: Question; onDone: () => void }) {
  return (
    <Dialog title={question.title} onClose={onDone}>
      <p>{question.text}</p>
      <footer>
        <Button onClick={onDone}>{W.cancel}</Button>
        <Button
          kind={question.isDangerous ? 'danger' : 'main'}
          onClick={() => {
            onDone();
            question.act();
          }}
        >
          {question.yes}
        </Button>
      </footer>
    </Dialog>
  );
}

/** Text that follows the robot without the page being drawn anew. */
export function LiveText({ pick, class: name }: { pick: (now: Live | null) => string; class?: string }) {
  const span = useRef<HTMLSpanElement>(null);
  const pickNow = useRef(pick);
  pickNow.current = pick;
  useEffect(() => {
    let last = span.current?.textContent ?? '';
    const look = () => {
      const next = pickNow.current(live.value);
      if (next === last || !span.current) return;
      last = next;
      span.current.textContent = next;
    };
    look();
    return live.subscribe(look);
  });
  return <span class={name} ref={span}>{pick(live.value)}</span>;
}

export function Panel(props: { title?: string; children: ComponentChildren; class?: string; actions?: ComponentChildren }) {
  return (
    <section class={`panel ${props.class ?? ''}`}>
      {(props.title || props.actions) && (
        <header class="panel-head">
          {props.title && <h2>{props.title}</h2>}
          {props.actions && <div class="panel-actions">{props.actions}</div>}
        </header>
      )}
      {props.children}
    </section>
  );
}

export interface Tab<T extends string> {
  value: T;
  label: string;
  icon?: IconName;
}

export function Tabs<T extends string>(props: { name: string; tabs: Tab<T>[]; value: T; onChange: (value: T) => void }) {
  const bar = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    const at = props.tabs.findIndex((tab) => tab.value === props.value);
    const next = props.tabs[(at + by + props.tabs.length) % props.tabs.length];
    if (!next) return;
    props.onChange(next.value);
    requestAnimationFrame(() => bar.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus());
  };
  return (
    <div class="tabs" role="tablist" aria-label={props.name} ref={bar} onKeyDown={onKeyDown}>
      {props.tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          aria-selected={tab.value === props.value}
          tabIndex={tab.value === props.value ? 0 : -1}
          onClick={() => props.onChange(tab.value)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
