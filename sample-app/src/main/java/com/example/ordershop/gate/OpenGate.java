package com.example.ordershop.gate;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/** A gate that lets everybody through. */
@Component
@ConditionalOnBooleanProperty(name = "ordershop.gate", havingValue = false, matchIfMissing = true)
final class OpenGate implements Gate {

    @Override
    public void pass() {}
}
