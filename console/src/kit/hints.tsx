// The tooltips of a page: one for all of them, because each of its own would cost more than what it is about, and a page would be
// there later.
import { Tooltip } from '@mantine/core';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { exactTime } from './time.ts';

const DELAY_MS = 250;

/** Of an element: what its tooltip says. */
export const hint = (text: string | undefined) => ({ 'data-hint': text });

/** Of a `time`: its tooltip says when exactly that is, and that is made out only then. */
export const TIME_HINT = hint('');

const textOf = (target: HTMLElement): string | undefined =>
  target instanceof HTMLTimeElement ? exactTime(target.dateTime) : target.dataset.hint;

export function Hints(): ReactNode {
  const target = useHinted();
  const text = useHintOf(target);
  const id = useId();
  useEffect(() => {
    target?.setAttribute('aria-describedby', id);
    return () => target?.removeAttribute('aria-describedby');
  }, [target, id]);
  // The tooltip gives itself an id, which nobody else knows.
  return (
    target &&
    text && <Tooltip target={target} label={<span id={id}>{text}</span>} opened key={text} multiline maw={320} />
  );
}

/** The element that somebody points at, has tapped or has come to with the keyboard. */
function useHinted(): HTMLElement | undefined {
  const [target, setTarget] = useState<HTMLElement>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (event: Event, afterMs: number): void => {
      clearTimeout(timer);
      const found = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-hint]') : null;
      if (found) timer = setTimeout(() => setTarget(found), afterMs);
      else setTarget(undefined);
    };
    const stop = new AbortController();
    const on = <K extends keyof DocumentEventMap>(type: K, take: (event: DocumentEventMap[K]) => void): void =>
      document.addEventListener(type, take, { signal: stop.signal, passive: true });
    on('pointerover', (event) => show(event, event.pointerType === 'touch' ? 0 : DELAY_MS));
    on('focusin', (event) => {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) show(event, 0);
    });
    on('focusout', () => setTarget(undefined));
    on('keydown', ({ key }) => key === 'Escape' && setTarget(undefined));
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, []);
  return target;
}

/** What it says as of now: a copy button says that it has copied. */
function useHintOf(target: HTMLElement | undefined): string | undefined {
  const [text, setText] = useState<string>();
  useEffect(() => {
    if (!target) return;
    const read = (): void => setText(target.isConnected ? textOf(target) : undefined);
    read();
    const observer = new MutationObserver(read);
    observer.observe(target, { attributeFilter: ['data-hint', 'datetime'] });
    return () => observer.disconnect();
  }, [target]);
  return target && text;
}
