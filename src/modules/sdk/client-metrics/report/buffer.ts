import type { EvaluationScope } from '../../snapshot/index.ts';
import { maxVariants, mostCounted } from '../bounds.ts';
import { maxName } from './contract.ts';

interface Counts {
  yes: number;
  no: number;
  /** Undefined: no variant was given. */
  variants: Map<string, number> | undefined;
  /** When it was last asked for. */
  seenMs: number;
}

/** Who tells something. */
export interface Source {
  readonly scope: EvaluationScope;
  readonly appName: string;
  /** Whether the token is in everybody's hands, as those in pages are: then anybody may have invented it. */
  readonly isPublic: boolean;
}

/** What one application asked for in one hour, with what its token reaches. */
export interface Report extends Source {
  readonly hourMs: number;
  readonly features: ReadonlyMap<string, Counts>;
}

/** An instance of an application that let hear of itself; null: it did not say. */
export interface SignOfLife extends Source {
  readonly instanceId: string;
  readonly sdkVersion: string | null;
  readonly sdkType: string | null;
  readonly specVersion: string | null;
  readonly strategies: readonly string[] | null;
  readonly ip: string | null;
}

/** What is stored together, once. */
export interface Batch {
  readonly reports: readonly Report[];
  readonly signs: readonly SignOfLife[];
  readonly size: number;
}

interface Counted {
  readonly yes?: number | null | undefined;
  readonly no?: number | null | undefined;
  readonly variants?: Readonly<Record<string, number>> | null | undefined;
}

type Where = Omit<Report, 'features'>;

export interface Buffer {
  /** How many counts, variants and instances wait. */
  readonly size: () => number;
  /** What was counted up to an instant. */
  readonly count: (where: Where, feature: string, counted: Counted, seenMs: number) => void;
  readonly hear: (sign: SignOfLife) => void;
  /** Takes out what waits, in parts of no more than that; what one feature has stays together. */
  readonly takeAll: (most: number) => Batch[];
}

const textOf = ({ scope: { environment, projects }, isPublic }: Source): string =>
  `${environment}\n${projects === 'all' ? '*' : projects.join(' ')}\n${isPublic}`;

const isName = (name: string) => name !== '' && name.length <= maxName;

/** Some SDKs tell of each feature that they know, asked for or not. */
const wasAsked = ({ yes, no, variants }: Counted): boolean =>
  Boolean(yes || no || (variants && Object.values(variants).some((times) => times > 0)));

export const sum = (counted: number, more: number): number => Math.min(counted + more, mostCounted);

const sizeOf = ({ variants }: Counts): number => 1 + (variants?.size ?? 0);

/** Parts of a whole, each full before the next begins. */
function createParts(most: number) {
  const parts: {
    reports: (Report & { features: Map<string, Counts> })[];
    signs: SignOfLife[];
    size: number;
  }[] = [];
  return {
    parts,
    /** The part with room for so much. */
    roomFor(size: number) {
      let last = parts.at(-1);
      if (!last || (last.size > 0 && last.size + size > most)) {
        last = { reports: [], signs: [], size: 0 };
        parts.push(last);
      }
      last.size += size;
      return last;
    },
  };
}

/** What programs tell, added up in memory: a request costs a few entries in maps. */
export function createBuffer(): Buffer {
  // Names of environments and projects have neither blanks nor line breaks: keys are unambiguous.
  let reports = new Map<string, Report & { readonly features: Map<string, Counts> }>();
  let signs = new Map<string, SignOfLife>();
  let size = 0;

  function reportOf(where: Where) {
    const key = `${textOf(where)}\n${where.hourMs}\n${where.appName}`;
    const found = reports.get(key);
    if (found) return found;
    const fresh = { ...where, features: new Map<string, Counts>() };
    reports.set(key, fresh);
    return fresh;
  }

  function countVariants(into: Counts, variants: Readonly<Record<string, number>>): void {
    for (const variant of Object.keys(variants)) {
      const times = variants[variant] ?? 0;
      if (times === 0 || !isName(variant)) continue;
      into.variants ??= new Map();
      const known = into.variants.get(variant);
      if (known === undefined) {
        if (into.variants.size >= maxVariants) continue;
        size += 1;
      }
      into.variants.set(variant, sum(known ?? 0, times));
    }
  }

  return {
    size: () => size,

    count(where, feature, counted, seenMs) {
      if (!wasAsked(counted) || !isName(feature)) return;
      const { features } = reportOf(where);
      let into = features.get(feature);
      if (!into) {
        into = { yes: 0, no: 0, variants: undefined, seenMs };
        features.set(feature, into);
        size += 1;
      }
      into.yes = sum(into.yes, counted.yes ?? 0);
      into.no = sum(into.no, counted.no ?? 0);
      into.seenMs = Math.max(into.seenMs, seenMs);
      if (counted.variants) countVariants(into, counted.variants);
    },

    hear(sign) {
      const { appName, instanceId } = sign;
      const key = `${textOf(sign)}\n${appName.length}\n${appName}${instanceId}`;
      const known = signs.get(key);
      if (!known) size += 1;
      // Metrics say less than a registration: what is known of an instance stays known.
      if (!known || sign.sdkVersion !== null || sign.strategies !== null) signs.set(key, sign);
    },

    takeAll(most) {
      const { parts, roomFor } = createParts(most);
      for (const sign of signs.values()) roomFor(1).signs.push(sign);
      for (const { features, ...where } of reports.values()) {
        let into: (typeof parts)[number] | undefined;
        for (const [feature, counts] of features) {
          const part = roomFor(sizeOf(counts));
          if (part !== into) part.reports.push({ ...where, features: new Map() });
          into = part;
          part.reports.at(-1)?.features.set(feature, counts);
        }
      }
      reports = new Map();
      signs = new Map();
      size = 0;
      return parts;
    },
  };
}
