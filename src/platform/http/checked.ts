import type { Endpoint, Input } from '../contract/endpoint.ts';
import type { Fault } from '../errors.ts';

/** What a check parsed from a request, and the faults it found. */
interface Reading {
  readonly faults: readonly Fault[];
}

/** The result of a check: faults, or parsed values with faults. */
type Finding = readonly Fault[] | Reading;

/** An endpoint on the server, with a check for what a schema cannot express, such as impossible dates. */
export interface ServedEndpoint extends Endpoint {
  // biome-ignore lint/suspicious/noExplicitAny: endpoints have different types; `checked` verifies them
  readonly check?: (input: any) => Finding;
}

type Checks<Contract extends Readonly<Record<string, Endpoint>>> = {
  readonly [Name in keyof Contract]?: (input: Input<Contract[Name]>) => Finding;
};

/** Adds checks to endpoints. Validation calls a check with the parts that passed the schemas. */
export const checked = <
  Contract extends Readonly<Record<string, Endpoint>>,
  const Given extends Checks<Contract>,
>(
  contract: Contract,
  checks: Given & { readonly [Name in Exclude<keyof Given, keyof Contract>]: never },
) =>
  Object.fromEntries(
    Object.entries(contract).map(([name, endpoint]) => {
      const check = checks[name as keyof typeof checks];
      return [name, check ? { ...endpoint, check } : endpoint];
    }),
  ) as {
    readonly [Name in keyof Contract]: Name extends keyof Given
      ? Contract[Name] & { readonly check: NonNullable<Given[Name]> }
      : Contract[Name];
  };

/** The input of a handler: the validated request, and what the check parsed from it. */
export interface Handled<E extends ServedEndpoint> extends Input<E> {
  readonly parsed: E extends { readonly check: (input: never) => infer Found extends Reading }
    ? Omit<Found, 'faults'>
    : undefined;
}
