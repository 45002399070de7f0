// SPDX-License-Identifier: BSD-3-Clause
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { lettings } from '../robot';

/** How far a finger may slide off a key before that counts as letting go [px]. */
const kSlack_px = 24;

export interface HoldKeyProps {
  label: string;
  class?: string;
  disabled?: boolean;
  children: ComponentChildren;
  /** `source` tells the finger or key apart from others. */
  onDown: (source: string) => void;
  onUp: (source: string) => void;
  shortcut?: string;
  /** What a press means that has no length, as assistive technology makes it; not said: nothing. */
  onActivate?: () => void;
}

/**
 * A key that acts while it is held. It is let go by lifting or losing the finger, by sliding off, when the window loses the
 * focus, when what is held no longer counts because the page has missed its beat, and when the key is taken off the page.
 */
export function HoldKey(props: HoldKeyProps) {
  const [isHeld, setHeld] = useState(false);
  const source = useRef<string | null>(null);
  const isByHand = useRef(false);
  const handlers = useRef(props);
  handlers.current = props;

  const down = (name: string) => {
    if (source.current !== null || handlers.current.disabled) return;
    source.current = name;
    isByHand.current = true;
    setHeld(true);
    handlers.current.onDown(name);
  };
  const up = () => {
    const name = source.current;
    if (name === null) return;
    source.current = null;
    setHeld(false);
    setTimeout(() => (isByHand.current = false), 0);
    handlers.current.onUp(name);
  };

  useEffect(() => {
    window.addEventListener('blur', up);
    document.addEventListener('visibilitychange', up);
    const end = lettings.subscribe(up);
    return () => {
      end();
      window.removeEventListener('blur', up);
      document.removeEventListener('visibilitychange', up);
      up();
    };
  }, []);
  useEffect(() => {
    if (props.disabled) up();
  }, [props.disabled]);

  return (
    <button
      type="button"
      class={`key hold ${props.class ?? ''} ${isHeld ? 'held' : ''}`}
      aria-label={props.label}
      aria-pressed={isHeld}
      aria-keyshortcuts={props.shortcut}
      disabled={props.disabled}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.focus({ preventScroll: true });
        event.currentTarget.setPointerCapture(event.pointerId);
        down(`pointer ${event.pointerId}`);
      }}
      onPointerMove={(event) => {
        if (source.current !== null && hasLeft(event)) up();
      }}
      onPointerUp={up}
      onPointerCancel={up}
      onLostPointerCapture={up}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        if (!event.repeat) down(`key of ${props.label}`);
      }}
      onKeyUp={(event) => {
        if (event.key === 'Enter' || event.key === ' ') up();
      }}
      onBlur={up}
      onClick={(event) => {
        // fingers and keys were heard of before; a click that comes alone is made by neither
        if (event.detail === 0 && !isByHand.current) handlers.current.onActivate?.();
        isByHand.current = false;
      }}
    >
      {props.children}
    </button>
  );
}

function hasLeft(event: PointerEvent): boolean {
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  return (
    event.clientX < box.left - kSlack_px || event.clientX > box.right + kSlack_px ||
    event.clientY < box.top - kSlack_px || event.clientY > box.bottom + kSlack_px
  );
}
