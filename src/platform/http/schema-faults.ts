import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import { type Fault, maxDetails, maxFaults } from '../errors.ts';
import { excerpt } from './excerpt.ts';
import { tokensOf, valueAt } from './json-pointer.ts';

const createAjv = ({ code, ...options }: Options): Ajv => {
  const ajv = new Ajv({
    useDefaults: true,
    strict: false,
    // The first request to an endpoint waits for its validator. V8 optimises what Ajv would: without Ajv's optimisation
    // the largest schema compiles in 50 ms instead of 100.
    code: { optimize: false, ...code },
    ...options,
  });
  // ajv-formats is CommonJS: under Node's rules its default export is the module itself.
  (ajvFormats as unknown as (target: Ajv) => void)(ajv);
  return ajv;
};

/** Stops at the first fault. Almost every request passes it. */
const quick = createAjv({});

/**
 * Finds several faults, and throws the list when there are enough: Ajv has no setting for that, and 0.9 MB with 100,000
 * faults took 2 s. It runs only on values that the quick validator refused, so that a branch of an `anyOf` with many
 * faults cannot refuse a value that another branch accepts.
 */
const thorough = createAjv({
  allErrors: true,
  code: {
    process: (code) => code.replaceAll('errors++;', `if(++errors >= ${maxFaults}) throw vErrors;`),
  },
});

/**
 * Returns the errors of a value, and clears them: Ajv stores them on the compiled function, where they would keep parts
 * of the value in memory until the next invalid value.
 */
function errorsOf(valid: ValidateFunction, value: unknown): ErrorObject[] {
  try {
    return valid(value) ? [] : (valid.errors ?? []);
  } catch (thrown) {
    if (Array.isArray(thrown)) return thrown;
    throw thrown;
  } finally {
    valid.errors = null;
  }
}

interface DescribedSchema {
  /** The schema's own message for its pattern. */
  readonly 'x-fault'?: string;
  /** Marks a secret, or text that may contain one. No message repeats it. */
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, { writeOnly?: boolean }>>;
}

/** Returns the schema whose keyword failed: `#/properties/name/pattern` leads to that of `name`. */
const schemaOf = (root: object, { schemaPath }: ErrorObject): DescribedSchema => {
  const tokens = tokensOf(schemaPath.replace(/^#/, '')).map(decodeURIComponent);
  return (valueAt(root, tokens.slice(0, -1)) ?? {}) as DescribedSchema;
};

const pathOf = (at: string, { instancePath, keyword, params }: ErrorObject): string =>
  keyword === 'required'
    ? `${at}${instancePath}/${params.missingProperty}`
    : `${at}${instancePath}`;

function messageOf(at: string, schema: object, value: unknown, error: ErrorObject): string {
  const path = pathOf(at, error);
  if (error.keyword === 'required') return `${path} is missing`;
  const { 'x-fault': words, writeOnly, properties = {} } = schemaOf(schema, error);
  const isSecret = writeOnly || Object.values(properties).some((property) => property.writeOnly);
  const allowed =
    error.keyword === 'enum' && words === undefined
      ? `: ${error.params.allowedValues.join(', ')}`
      : '';
  const sent = error.propertyName ?? valueAt(value, tokensOf(error.instancePath));
  const repeated = isSecret ? '' : `; you sent ${excerpt(sent)}`;
  return `${path} ${words ?? error.message}${allowed}${repeated}`;
}

/** Returns the faults of a value and fills in defaults; `at` is the path of the value in the request. */
type FindFaults = (value: unknown, at: string) => Fault[];

/** Compiles the schema when its first value arrives, to keep the start short. */
export function schemaFaults(schema: object): FindFaults {
  let isValid: ValidateFunction | undefined;
  let findAll: ValidateFunction | undefined;
  return (value, at) => {
    isValid ??= quick.compile(schema);
    const [first] = errorsOf(isValid, value);
    if (!first) return [];
    findAll ??= thorough.compile(schema);
    const errors = errorsOf(findAll, value);
    // Only the first `maxDetails` have messages. The paths of the others show which parts of the body are invalid.
    return (errors.length > 0 ? errors : [first]).map((error, index) => ({
      path: pathOf(at, error),
      message: index < maxDetails ? messageOf(at, schema, value, error) : '',
    }));
  };
}
