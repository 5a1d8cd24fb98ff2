// Generated from codegen/settings.schema.json by `npm run codegen`. Do not edit: change the source and run it again.

export type SettingType = "string" | "boolean" | "integer" | "port" | "duration" | "enum" | "url" | "path" | "quantity" | "list" | "map" | "logLevel";

/** How one setting is named, read, checked and explained. */
export interface Setting<Name extends string = string> {
  readonly name: Name;
  readonly type: SettingType;
  readonly description: string;
  /** Environment variables, the documented one first. */
  readonly env: readonly string[];
  /** Flags without dashes, the documented one first; none for a secret. */
  readonly flags: readonly string[];
  /** As a user would write it. Without one the setting is required or may be absent. */
  readonly default?: string;
  readonly required?: boolean;
  readonly secret?: boolean;
  /** An empty text is a value; otherwise it counts as not set. */
  readonly allowEmpty?: boolean;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly patternHint?: string;
}

/** A process with its settings; T is the interface that they fill. */
export interface Component<T> {
  readonly name: string;
  readonly settings: readonly Setting<keyof T & string>[];
}
