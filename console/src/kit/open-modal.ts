// Reports open modal dialogs. It can require an answer or show a secret once, so nothing opens or closes behind it.

export const isModalOpen = (): boolean => document.querySelector('.mantine-Modal-content') !== null;

/** Returns true if no dialog covers the dialog that contains the element. */
export function isTopmostModal(element: HTMLElement | null): boolean {
  const topmost = [...document.querySelectorAll('.mantine-Modal-content')].at(-1);
  return element !== null && topmost?.contains(element) === true;
}
