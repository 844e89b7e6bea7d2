/**
 * The scenarios, the load that they put on the shops, and their verdicts.
 *
 * <p>Imports {@code process}. The command and the page import {@code Scenario} and {@code Verdict}.
 */
@NullMarked
package com.example.ordershop.demo.scenario;

import org.jspecify.annotations.NullMarked;
