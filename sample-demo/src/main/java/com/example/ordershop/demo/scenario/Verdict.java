package com.example.ordershop.demo.scenario;

/** Result of a scenario: passed or failed, and the measured numbers. */
public record Verdict(String scenario, boolean passed, String text) {

    @Override
    public String toString() {
        return (passed ? "PASSED " : "FAILED ") + scenario + ": " + text;
    }
}
