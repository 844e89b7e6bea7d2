package com.example.ordershop.stock;

/** What a customer has taken, and what that has left. */
record Taken(String product, int quantity, int left) {}
