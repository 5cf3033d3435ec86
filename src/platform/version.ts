import packageFile from '../../package.json' with { type: 'json' };

export const version: string = packageFile.version;

/** The version of the reference product whose API is implemented. Clients use it to decide which requests they can send. */
export const apiVersion = '6.8.0';
