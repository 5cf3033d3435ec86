import { read } from '../../queries.ts';

/** All names are loaded: searching 5,000 of them takes a few milliseconds, without a request. */
export const featureNamesQuery = read('GET /api/admin/feature-names', {});
