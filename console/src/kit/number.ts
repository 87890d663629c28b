// Formats numbers without `Intl`, for the reason in time.ts.

/** Returns "1,234,567". A fraction stays as it is: "1234.5678". */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?<!\.\d*)(?=(\d{3})+$)/g, ',');
}

/** Returns "1 key", "2 keys", "3 deliveries". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;
