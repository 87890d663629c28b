// A user without a pointer: moves by Tab from one element to the next, and records where the focus was lost or not
// visible.
import type { Locator, Page } from 'playwright-core';

const MOST_TABS = 150;

type Role = Parameters<Page['getByRole']>[0];

export class KeyboardUser {
  readonly page: Page;
  readonly wrong: string[] = [];
  presses = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async press(key: string): Promise<void> {
    this.presses += 1;
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Presses Tab until the element has the focus, and checks the focus on the way. */
  async go(role: Role, name: string | RegExp, within: Locator = this.page.locator('body')): Promise<void> {
    const wanted = within.getByRole(role, { name }).first();
    await wanted.waitFor();
    const focused = within.getByRole(role, { name }).and(this.page.locator(':focus'));
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      if ((await focused.count()) > 0) return;
      await this.press('Tab');
      await this.#look(`on the way to ${name}`);
    }
    throw new Error(`${name} cannot be reached with the keyboard`);
  }

  async enter(role: Role, name: string | RegExp, within?: Locator): Promise<void> {
    await this.go(role, name, within);
    await this.press('Enter');
  }

  /** Expects that the focus moved to an existing element after another one was closed or removed. */
  async keeps(after: string): Promise<void> {
    const isKept = () =>
      document.activeElement !== null && document.activeElement !== document.body && document.activeElement.isConnected;
    await this.page.waitForFunction(isKept, undefined, { timeout: 2_000 }).catch(() => {
      this.wrong.push(`nothing has the focus after ${after}`);
    });
  }

  async palette(words: string): Promise<void> {
    await this.press('Control+K');
    const input = this.page.getByRole('combobox', { name: /^Page, app, key/ });
    await input.and(this.page.locator(':focus')).waitFor();
    await this.type(words);
    await this.page.getByRole('option', { name: new RegExp(`^${words}`), selected: true }).waitFor();
    await this.press('Enter');
    await input.waitFor({ state: 'detached' });
    await this.keeps(`the palette led to ${words}`);
  }

  async #look(where: string): Promise<void> {
    const fault = await this.page.evaluate(describeFocus);
    if (fault !== undefined) this.wrong.push(`${fault} ${where}`);
  }
}

/** Runs in the page. Returns a fault in the display of the focus; undefined without one. */
function describeFocus(): string | undefined {
  const one = document.activeElement;
  // The end of the page: the browser's own controls follow.
  if (one === null || one === document.body) return undefined;
  const name = one.getAttribute('aria-label') ?? (one.textContent?.slice(0, 40) || one.outerHTML.slice(0, 80));
  const hasRing = (element: Element | null): boolean => {
    if (element === null) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
  };
  // The ring of a switch or a choice is drawn by an element next to its input.
  const ringed = [one, one.nextElementSibling, one.parentElement];
  if (one instanceof HTMLInputElement) ringed.push(one.parentElement?.parentElement ?? null);
  if (!ringed.some(hasRing)) return `the focus is not visible on “${name}”`;
  const { top, bottom, width, height } = one.getBoundingClientRect();
  const isInput = one instanceof HTMLInputElement; // may be drawn elsewhere
  if (!isInput && (width === 0 || height === 0 || bottom <= 0 || top >= window.innerHeight)) {
    return `the focused “${name}” is not on the screen`;
  }
  return undefined;
}
