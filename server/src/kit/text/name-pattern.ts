// The pattern of a name: not blank, and without control characters, invisible characters, and characters that change
// the direction of text. People decide by names that they read. (The zero-width joiner is allowed, because emoji need
// it.)
export const NAME_PATTERN =
  '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff]+$';
