// One tooltip for the whole page. A tooltip per element would cost more rendering time than the element itself.
import { Tooltip } from '@mantine/core';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { exactTime } from './time.ts';

const DELAY_MS = 250;

/** Returns the attribute that holds an element's tooltip. */
export const hint = (text: string | undefined) => ({ 'data-hint': text });

/** Marks a `time` element: its tooltip is the exact time, which is formatted only when it is shown. */
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
  // Mantine's tooltip generates its own id, which is not accessible here.
  return (
    target &&
    text && <Tooltip target={target} label={<span id={id}>{text}</span>} opened key={text} multiline maw={320} />
  );
}

/** Returns the element that the user hovers, taps or focuses with the keyboard. */
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

/** Returns the current tooltip text, which can change: a copy button confirms the copy. */
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
