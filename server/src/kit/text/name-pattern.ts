// The pattern of a name: not blank, and without control characters, invisible characters, and characters that change
// the direction of text. People decide by names that they read. (The zero-width joiner is allowed, because emoji need
// it.)
const HIDING = '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff';

export const NAME_PATTERN = `^(?=.*\\S)[^${HIDING}]+$`;

const HIDING_CHARACTERS = new RegExp(`[${HIDING}]`, 'g');

/** Replaces each character that no name may contain by U+FFFD, which readers see. */
export const showHidden = (text: string): string => text.replace(HIDING_CHARACTERS, '\ufffd');
