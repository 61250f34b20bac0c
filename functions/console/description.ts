import type { LocalisedText } from '#shared/schema/component.ts';
import type { FieldType } from './hints.ts';

// The console imports these types in the browser: no values here.

export type { FieldType, LocalisedText };

/** What the console's generated pages are made from. `generate` writes it to `.build/console/description.json`. */
export interface ConsoleDescription {
  modules: ModuleDescription[];
  /** Every folder of `Admin/` that has a route `list`. */
  pages: PageDescription[];
  /** Groups of settings, in the order of modules and declarations. */
  settings: SettingsGroup[];
  /** Permissions of all routes below `/adminapi/`, by path. */
  routes: Record<string, RoutePermission>;
}

export interface ModuleDescription {
  name: string;
  /** Begins its URLs. */
  prefix: string;
  title: LocalisedText;
}

export interface SettingsGroup {
  name: string;
  /** Name of its module. */
  module: string;
  title: LocalisedText;
  /** Its settings; each `name` is the key. */
  fields: SettingField[];
}

export interface SettingField extends Field {
  /** A host or URL that gets the group's secrets: a change must contain the secrets again. */
  isEndpoint?: true;
  /** Stands below its input. */
  hint?: LocalisedText;
}

export interface PageDescription {
  /** The folder, without `/adminapi/`: `system/setting/dict/type`. */
  path: string;
  /** Name of its module. */
  module: string;
  title: LocalisedText;
  /** First part of its records' names in the audit log, if they show their history: `article`. */
  records?: string;
  /** What the page is for, in a sentence. */
  purpose?: LocalisedText;
  /** Address that shows a record, with `{}` for each key, if it is not the detail on this page. */
  to?: string;
  list: ListDescription;
  /** All other routes of the folder. */
  actions: Action[];
}

export interface ListDescription {
  path: string;
  title: LocalisedText;
  permission: RoutePermission;
  /**
   * `page`: `page_no` and `page_size`, answers `total`. `cursor`: `limit` and `cursor`, answers `next_cursor`. `all`: no
   * paging; `data` is the list itself, or an object with it as `list`.
   */
  paging: 'page' | 'cursor' | 'all';
  /** Filters: the query without the parameters of paging. */
  query: Field[];
  /** Fields of one row; empty if rows are not objects. */
  item: Field[];
}

/** A permission that the caller must hold; `login`: every administrator may; `open`: no login is required. */
export type RoutePermission = Permission | 'login' | 'open';

export interface Permission {
  /** `system/setting/dict/type/add` */
  path: string;
  /** `write` covers `read`. */
  kind: 'read' | 'write';
  /** Covered only by a grant of its own path or of its direct folder. */
  sensitive?: true;
  /** Earlier paths, whose grants stay valid. */
  formerly?: readonly string[];
}

export interface Action {
  /** Last segment of the path: `add`, `edit`, `detail`, `delete`, `status`, … */
  name: string;
  method: 'GET' | 'POST';
  path: string;
  title: LocalisedText;
  permission: RoutePermission;
  query: Field[];
  body: Field[];
  /** Media type of the body. */
  bodyType: 'application/json' | 'multipart/form-data';
  /** Fields of the answer; empty if it is not an object. */
  data: Field[];
  /** The records that it is called for: none, one that `keys` name, or several by `ids`. */
  takes: 'none' | 'id' | 'ids';
  /** Fields of a row that name a record, and have the same name in query or body; `id` for `ids`. */
  keys: string[];
  /** The body has a `version`: that of the record as it was read. */
  isVersioned: boolean;
  /** Cannot be undone: ask before. */
  isDangerous: boolean;
}

export interface Field {
  name: string;
  label: LocalisedText;
  type: FieldType;
  /** Must be sent in input; is always there in answers. */
  required: boolean;
  nullable: boolean;
  default?: unknown;
  /** Limits of a number, or of the number of a list's items. */
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  /** Whether no two records may share it, ignoring case and width. */
  isUnique?: true;
  /** A regular expression. */
  pattern?: string;
  /** What the pattern demands, in words. */
  rule?: LocalisedText;
  /** Values of an `enum`. */
  options?: Option[];
  /** Type key of the dictionary whose values it takes; its type is `dictionary`. */
  dictionary?: string;
  /** The currency of an amount, as in ISO 4217. */
  currency?: string;
  /** Kind of the file that a `media` URL names. */
  media?: 'image' | 'video' | 'file';
  /** Path of the page whose records the IDs name. */
  refersTo?: string;
  /** Items of a `list`; absent if they are of the list's own kind, as in a tree. */
  items?: Field;
  /** Fields of an `object`. */
  fields?: Field[];
}

export interface Option {
  value: string | number | boolean;
  label: LocalisedText;
}
