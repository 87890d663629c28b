// Not blank; no control characters, none that are invisible, and none that turn the direction of what follows: a name is
// read by people who decide by it. (A joiner is allowed: emoji are made with it.)
export const NAME_PATTERN =
  '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff]+$';
