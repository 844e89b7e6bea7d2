package io.github.zklock.aop.internal.declaration;

import io.github.zklock.LockName;
import io.github.zklock.aop.method.Place;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Finds mistakes in a name at start-up: mistakes that make each call fail, and mistakes that make
 * different calls share one lock.
 */
final class TemplateCheck {

    private static final Pattern BRACES = Pattern.compile("\\{[^{}]*}");
    private static final Pattern VARIABLE = Pattern.compile("#([A-Za-z_$][\\w$]*)");

    private final Place place;
    private final ArgumentNames names;
    private final Predicate<String> beans;
    private final ExpressionTypes types;

    TemplateCheck(Place place, ArgumentNames names, Predicate<String> beans, ExpressionTypes types) {
        this.place = place;
        this.names = names;
        this.beans = beans;
        this.types = types;
    }

    void check(NameTemplate template) {
        template.literals().forEach(literal -> checkForgottenBraces(literal, template));
        template.expressions().forEach(this::check);
        if (template.isLiteral() || !template.literals().isEmpty()) {
            checkName(template);
        }
    }

    private void check(SpelNode expression) {
        checkVariables(expression);
        types.visit(expression);
    }

    private void checkForgottenBraces(String literal, NameTemplate template) {
        if (literal.contains("${")) {
            throw place.invalid(
                    "has the name '" + template + "', which refers to an unknown property",
                    "set the property, or give it a default");
        }
        Matcher braces = BRACES.matcher(literal);
        if (braces.find()) {
            throw place.invalid(
                    "has the name '" + template + "', in which " + braces.group() + " is plain text",
                    "write #" + braces.group().replace("{#", "{").replace("{", "{#")
                            + " for an argument, or remove the braces");
        }
        Matcher variable = VARIABLE.matcher(literal);
        while (variable.find()) {
            // if parameter names are unknown, the variable may be one of them
            if (names.contains(variable.group(1)) || variable.group(1).equals("root") || !names.areComplete()) {
                throw place.invalid(
                        "has the name '" + template + "', in which " + variable.group() + " is plain text",
                        "write #{" + variable.group() + "}");
            }
        }
    }

    private void checkVariables(SpelNode node) {
        if (node instanceof FunctionReference) {
            throw place.invalid(
                    "calls the function " + node.toStringAST() + ", but functions are not supported",
                    "call a method of an argument, of the target or of a bean instead");
        }
        if (node instanceof VariableReference) {
            checkVariable(node.toStringAST().substring(1));
        }
        if (node instanceof BeanReference) {
            checkBean(node);
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            checkVariables(node.getChild(i));
        }
    }

    private void checkVariable(String variable) {
        if (variable.equals("root") || variable.equals("this") || names.contains(variable)) {
            return;
        }
        if (!names.areComplete()) {
            throw place.invalid(
                    "uses #" + variable + ", but its class was compiled without the names of parameters",
                    "compile with -parameters, or write #p0 for the first argument");
        }
        throw place.invalid("uses #" + variable + ", which is no parameter", "use one of " + names);
    }

    private void checkBean(SpelNode reference) {
        if (!beans.test(beanName(reference))) {
            throw place.invalid(
                    "uses " + reference.toStringAST() + ", but there is no bean of that name",
                    "write the name of a bean after @, or declare a bean of this name");
        }
    }

    static String beanName(SpelNode reference) {
        return reference.toStringAST().replaceFirst("[@&]+", "").replace("'", "");
    }

    private void checkName(NameTemplate template) {
        try {
            LockName.of(template.filledWith("x"));
        } catch (IllegalArgumentException refused) {
            throw place.invalid(
                    "has an invalid name: " + refused.getMessage(),
                    "write a path without empty segments, such as /orders/#{#id}");
        }
    }
}
