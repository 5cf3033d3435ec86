// Loaded when the first tooltip is shown.
export { Tooltip } from '@mantine/core';
