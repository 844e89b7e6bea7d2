package io.github.zklock.aop.internal.declaration;

import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The condition of an annotation, which decides whether a call needs its lock. */
final class Condition {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private final SpelExpression expression;

    private Condition(SpelExpression expression) {
        this.expression = expression;
    }

    /**
     * Parses an expression, with or without its braces.
     *
     * @throws IllegalArgumentException if it cannot be parsed
     */
    static Condition parse(String text) {
        String stripped = text.strip();
        boolean braced = stripped.startsWith("#{") && stripped.endsWith("}");
        try {
            return new Condition(PARSER.parseRaw(braced ? stripped.substring(2, stripped.length() - 1) : stripped));
        } catch (ParseException malformed) {
            throw new IllegalArgumentException(
                    "'" + text + "' cannot be read: " + malformed.getSimpleMessage(), malformed);
        }
    }

    SpelNode tree() {
        return expression.getAST();
    }

    /**
     * Returns whether this call needs the lock.
     *
     * @throws IllegalArgumentException if the expression yields neither true nor false
     */
    boolean holds(EvaluationContext call) {
        Object value;
        try {
            value = ((Expression) expression).getValue(call);
        } catch (EvaluationException failed) {
            throw new IllegalArgumentException(
                    "its condition '" + expression.getExpressionString() + "' fails: " + failed.getMessage(), failed);
        }
        if (value instanceof Boolean holds) {
            return holds;
        }
        throw new IllegalArgumentException("its condition '" + expression.getExpressionString() + "' yields " + value
                + ", which is neither true nor false");
    }
}
