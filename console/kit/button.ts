/** A row of a generated page, and what a button does with it. */
export interface RowTools {
  row: Record<string, unknown>;
  /** Calls an action of the page on the row, by the action's name. */
  run(action: string, values: Record<string, unknown>): Promise<void>;
  reload(): Promise<void>;
}

/** A generated page, for its buttons. */
export interface PageTools {
  filters: Record<string, string>;
  /** Rows that the operator has marked. */
  selection: Record<string, unknown>[];
  reload(): Promise<void>;
}

/** What a button declares: `export const button = defineButton({ … })` with literal values only. */
export interface ButtonDeclaration {
  /** The generated page of any module, as in its URL: `user-center/user`. */
  page: string;
  /** Over the list, or in each row and its detail. The component gets {@link PageTools} or {@link RowTools} as `tools`. */
  slot: 'toolbar' | 'row-actions';
  /** The permission that shows it, without kind: `shop/order/list`. Without one, everybody who sees the page sees it. */
  permission?: string;
}

/** Types the declaration; the build reads it from the source. */
export const defineButton = (button: ButtonDeclaration): ButtonDeclaration => button;
