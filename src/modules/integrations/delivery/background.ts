import type { WritingServices } from '../../../platform/module.ts';

export const startDelivering = (_services: WritingServices) => async (): Promise<void> => undefined;
