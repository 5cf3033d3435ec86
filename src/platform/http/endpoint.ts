export * from '../contract/endpoint.ts';
export * from './route.ts';
