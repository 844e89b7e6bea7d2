package io.github.zklock.console;

/** What Spring Security wants to see of a page that changes something: this token in this header. */
record Csrf(String header, String token) implements JsonRecord {}
