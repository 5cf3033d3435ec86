import packageFile from '../package.json' with { type: 'json' };

export const version: string = packageFile.version;

/** The version of the reference product whose API this one speaks: clients decide by it what they may ask. */
export const apiVersion = '6.8.0';
