/** All limits in one place; the README and the tests quote them. */
export const TAGS_PER_NOTE = 5;
export const PIN_ATTEMPTS = 3;
export const PAGE_SIZE = 20;
export const LARGEST_PAGE = 100;
export const TITLE_LENGTH = 120;
export const SHARE_CODE_LENGTH = 10;
