export declare const LICENCES_FILE: string;
export declare function licencesOf(moduleIds: readonly string[]): string;
