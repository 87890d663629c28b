// Somebody who has no pointer: goes from one thing to the next by Tab, and notes where the focus was lost or did not show.
import type { Locator, Page } from 'playwright-core';

const MOST_TABS = 150;

type Role = Parameters<Page['getByRole']>[0];

export class Typist {
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

  /** Goes on until it has the focus, and sees on the way where they are. */
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

  /** What was closed or went has given the focus to something that is there. */
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
    const said = await this.page.evaluate(describeFocus);
    if (said !== undefined) this.wrong.push(`${said} ${where}`);
  }
}

/** Runs in the page: what is wrong with how the focus shows; undefined where nothing is. */
function describeFocus(): string | undefined {
  const one = document.activeElement;
  // The end of the page: the browser's own controls come next.
  if (one === null || one === document.body) return undefined;
  const name = one.getAttribute('aria-label') ?? (one.textContent?.slice(0, 40) || one.outerHTML.slice(0, 80));
  const hasRing = (element: Element | null): boolean => {
    if (element === null) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
  };
  // A switch or a choice is drawn by what stands beside its input.
  const ringed = [one, one.nextElementSibling, one.parentElement];
  if (one instanceof HTMLInputElement) ringed.push(one.parentElement?.parentElement ?? null);
  if (!ringed.some(hasRing)) return `the focus does not show on “${name}”`;
  const { top, bottom, width, height } = one.getBoundingClientRect();
  const isInput = one instanceof HTMLInputElement; // may be drawn elsewhere
  if (!isInput && (width === 0 || height === 0 || bottom <= 0 || top >= window.innerHeight)) {
    return `the focus is out of sight on “${name}”`;
  }
  return undefined;
}
