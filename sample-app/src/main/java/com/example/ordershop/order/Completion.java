package com.example.ordershop.order;

/**
 * Result of the completion of an order.
 *
 * @param token fencing token under which it was written; a string because it exceeds the numbers of JavaScript
 */
record Completion(long id, String token) {}
