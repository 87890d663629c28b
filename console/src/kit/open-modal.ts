// Reports an open modal dialog. It can require an answer or show a secret once, so nothing opens or closes behind it.

export const isModalOpen = (): boolean => document.querySelector('.mantine-Modal-content') !== null;
