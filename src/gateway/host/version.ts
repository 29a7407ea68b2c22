/** The version that the doors tell their clients: that of the package. */
export const VERSION = '0.1.0';
