import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import { type Fault, maxDetails, maxFaults } from '../errors.ts';
import { excerpt } from './excerpt.ts';
import { tokensOf, valueAt } from './json-pointer.ts';

const createAjv = ({ code, ...options }: Options): Ajv => {
  const ajv = new Ajv({
    useDefaults: true,
    strict: false,
    // The first request to an endpoint waits for its validator. What Ajv optimises, V8 does too: without
    // it the largest schema is compiled in half the time, 50 ms instead of 100.
    code: { optimize: false, ...code },
    ...options,
  });
  // ajv-formats is CommonJS: its default export is the module itself under Node's rules.
  (ajvFormats as unknown as (target: Ajv) => void)(ajv);
  return ajv;
};

/** Stops at the first fault. Almost every request passes here and goes no further. */
const quick = createAjv({});

/**
 * Finds several faults, and throws the list once there are enough: Ajv has no setting for that, and
 * 0.9 MB with 100,000 faults took 2 s. It sees only what the quick one refused, so that a branch of an
 * `anyOf` with many faults cannot refuse a value that another branch accepts.
 */
const thorough = createAjv({
  allErrors: true,
  code: {
    process: (code) => code.replaceAll('errors++;', `if(++errors >= ${maxFaults}) throw vErrors;`),
  },
});

/**
 * The errors of a value. Ajv leaves them on the compiled function, where they would stay until the
 * next faulty value: they are taken away, with what they name of the value.
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
  /** A schema can say in its own words what its pattern means. */
  readonly 'x-fault'?: string;
  /** What is a secret is not repeated, nor what may hold one. */
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, { writeOnly?: boolean }>>;
}

/** The schema whose keyword failed: `#/properties/name/pattern` leads to that of `name`. */
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

/** Finds what is wrong with a value and fills in defaults; `at` is where the request holds the value. */
type FindFaults = (value: unknown, at: string) => Fault[];

/** Compiles the schema when its first value comes, not while everybody waits for the start. */
export function schemaFaults(schema: object): FindFaults {
  let isValid: ValidateFunction | undefined;
  let findAll: ValidateFunction | undefined;
  return (value, at) => {
    isValid ??= quick.compile(schema);
    const [first] = errorsOf(isValid, value);
    if (!first) return [];
    findAll ??= thorough.compile(schema);
    const errors = errorsOf(findAll, value);
    // Only so many are told. The others have a path, by which the sound parts of the body are known.
    return (errors.length > 0 ? errors : [first]).map((error, index) => ({
      path: pathOf(at, error),
      message: index < maxDetails ? messageOf(at, schema, value, error) : '',
    }));
  };
}
