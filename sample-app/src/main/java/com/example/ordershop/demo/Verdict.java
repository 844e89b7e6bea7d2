package com.example.ordershop.demo;

/** What a scenario has shown: whether that is what it promises, and the numbers. */
record Verdict(String scenario, boolean passed, String text) {

    @Override
    public String toString() {
        return (passed ? "PASSED " : "FAILED ") + scenario + ": " + text;
    }
}
