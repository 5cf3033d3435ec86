export const recordContract = {};
