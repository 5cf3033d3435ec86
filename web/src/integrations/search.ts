const states = ['pending', 'delivered', 'givenUp'] as const;
export type DeliveryState = (typeof states)[number];

/** The periods of the charts, in hours. */
export const periods = [24, 168, 720] as const;

/** The filters of the deliveries, and the open one. */
export interface IntegrationSearch {
  readonly state?: DeliveryState;
  readonly type?: string;
  /** Days, as yyyy-MM-dd. */
  readonly from?: string;
  readonly to?: string;
  readonly event?: number;
  readonly page?: number;
  readonly hours?: (typeof periods)[number];
  readonly delivery?: string;
}

const day = /^\d{4}-\d{2}-\d{2}$/;
const wholeAbove = (value: unknown, least: number): number | undefined =>
  Number.isSafeInteger(Number(value)) && Number(value) > least ? Number(value) : undefined;

/** Reads an address; what is wrong in it is left out. */
export function readIntegrationSearch(raw: Record<string, unknown>): IntegrationSearch {
  const state = states.find((each) => each === raw.state);
  const hours = periods.find((each) => each === Number(raw.hours));
  const [event, page] = [wholeAbove(raw.event, 0), wholeAbove(raw.page, 1)];
  const dayOf = (value: unknown) => (typeof value === 'string' && day.test(value) ? value : '');
  const [from, to] = [dayOf(raw.from), dayOf(raw.to)];
  return {
    ...(state && { state }),
    ...(typeof raw.type === 'string' && raw.type !== '' && { type: raw.type }),
    ...(from && { from }),
    ...(to && { to }),
    ...(event !== undefined && { event }),
    ...(page !== undefined && { page }),
    ...(hours !== undefined && { hours }),
    ...(typeof raw.delivery === 'string' && raw.delivery !== '' && { delivery: raw.delivery }),
  };
}
