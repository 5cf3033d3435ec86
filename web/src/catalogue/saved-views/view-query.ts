/** A view, saved or built in, as far as the menu compares it with the list that is shown. */
interface ComparedView {
  readonly id?: number;
  readonly query: string;
}

/** The same parameters in the same order, whatever the order in the address is. */
const normalized = (query: string): string => {
  const search = new URLSearchParams(query);
  search.sort();
  return search.toString();
};

/** The search parameters of a list as the text of a view. */
export const queryOf = (search: Readonly<Record<string, unknown>>): string =>
  normalized(
    new URLSearchParams(
      Object.entries(search).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    ).toString(),
  );

/** The search parameters of a view, as the router reads them from an address. */
export const searchOf = (query: string): Record<string, unknown> =>
  Object.fromEntries(
    [...new URLSearchParams(query)].map(([name, value]) => [name, value === 'true' || value]),
  );

interface Current<View> {
  readonly view: View;
  /** Whether the list has other filters than the view by now. */
  readonly isModified: boolean;
}

/** The view that the address names, or else one that is the same as what is shown. */
export function currentOf<View extends ComparedView>(
  views: readonly View[],
  id: number | undefined,
  query: string,
): Current<View> | undefined {
  const isSame = (view: View) => normalized(view.query) === normalized(query);
  const opened = id === undefined ? undefined : views.find((view) => view.id === id);
  if (opened) return { view: opened, isModified: !isSame(opened) };
  const same = query === '' ? undefined : views.find(isSame);
  return same && { view: same, isModified: false };
}
