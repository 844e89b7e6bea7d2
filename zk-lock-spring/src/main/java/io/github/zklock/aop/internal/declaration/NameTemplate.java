package io.github.zklock.aop.internal.declaration;

import io.github.zklock.LockName;
import io.github.zklock.support.NameSegment;
import java.util.ArrayList;
import java.util.List;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * A lock name of literal text and expressions, before evaluation. The result of an expression is never parsed as an
 * expression. If other text surrounds it, the result is one segment of the name, and special characters in it are
 * encoded.
 */
final class NameTemplate {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private final String text;
    private final List<Expression> parts;

    private NameTemplate(String text, List<Expression> parts) {
        this.text = text;
        this.parts = parts;
    }

    /**
     * Parses a template whose placeholders are already resolved.
     *
     * @throws IllegalArgumentException if an expression in it cannot be parsed
     */
    static NameTemplate parse(String text) {
        try {
            Expression whole = PARSER.parseExpression(text, ParserContext.TEMPLATE_EXPRESSION);
            return new NameTemplate(
                    text,
                    whole instanceof CompositeStringExpression composite
                            ? List.of(composite.getExpressions())
                            : List.of(whole));
        } catch (ParseException malformed) {
            throw new IllegalArgumentException(
                    "'" + text + "' cannot be read: " + malformed.getSimpleMessage(), malformed);
        }
    }

    /** Returns the template with its placeholders resolved. */
    String text() {
        return text;
    }

    boolean isLiteral() {
        return parts.stream().allMatch(LiteralExpression.class::isInstance);
    }

    /** Returns the name that results if every expression yields {@code filler}. */
    String filledWith(String filler) {
        StringBuilder filled = new StringBuilder();
        parts.forEach(part -> filled.append(part instanceof LiteralExpression ? part.getExpressionString() : filler));
        return filled.toString();
    }

    /** Returns the literal text between the expressions. */
    List<String> literals() {
        return parts.stream()
                .filter(LiteralExpression.class::isInstance)
                .map(Expression::getExpressionString)
                .toList();
    }

    /** Returns the syntax trees of the expressions. */
    List<SpelNode> expressions() {
        List<SpelNode> trees = new ArrayList<>();
        for (Expression part : parts) {
            if (part instanceof SpelExpression expression) {
                trees.add(expression.getAST());
            }
        }
        return trees;
    }

    /**
     * Returns the lock name of one call.
     *
     * @throws IllegalArgumentException if the value of an expression is null, empty or has no text of its own, or if
     *     the result is not a lock name
     */
    LockName evaluate(EvaluationContext call) {
        if (parts.size() == 1) {
            Expression only = parts.get(0);
            return LockName.of(only instanceof LiteralExpression ? only.getExpressionString() : valueOf(only, call));
        }
        StringBuilder name = new StringBuilder();
        for (Expression part : parts) {
            name.append(
                    part instanceof LiteralExpression
                            ? part.getExpressionString()
                            : NameSegment.of(valueOf(part, call)));
        }
        return LockName.of(name.toString());
    }

    private static String valueOf(Expression part, EvaluationContext call) {
        String expression = "#{" + part.getExpressionString() + "} ";
        try {
            return OwnText.of(part.getValue(call));
        } catch (EvaluationException failed) {
            throw new IllegalArgumentException(expression + "fails: " + failed.getMessage(), failed);
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(expression + refused.getMessage(), refused);
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
