export const configurationContract = {};
