/** One error in a request; `path` is a JSON pointer such as `/query/from`. */
export interface Fault {
  message: string;
  path?: string;
}
