package com.example.ordershop;

import com.example.ordershop.order.NoSuchOrderException;
import com.example.ordershop.statistics.AlreadyCountedException;
import com.example.ordershop.stock.InvalidInputException;
import com.example.ordershop.stock.OutOfStockException;
import io.github.zklock.LockException;
import io.github.zklock.LockLostException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.databind.DatabindException;

/** What customers are told when something is not possible. */
@RestControllerAdvice
final class Problems extends ResponseEntityExceptionHandler {

    private static final String SOON = "1";

    @ExceptionHandler
    ProblemDetail invalid(InvalidInputException invalid) {
        return problem(HttpStatus.BAD_REQUEST, "Not in this shop", invalid);
    }

    @ExceptionHandler
    ProblemDetail unknown(NoSuchOrderException unknown) {
        return problem(HttpStatus.NOT_FOUND, "No such order", unknown);
    }

    @ExceptionHandler
    ProblemDetail counted(AlreadyCountedException counted) {
        return problem(HttpStatus.CONFLICT, "Already completed", counted);
    }

    @ExceptionHandler
    ProblemDetail soldOut(OutOfStockException soldOut) {
        return problem(HttpStatus.CONFLICT, "Out of stock", soldOut);
    }

    /** Others are at work: it is worth coming back soon. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> busy(LockTimeoutException busy) {
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, SOON)
                .body(lockProblem("Busy", busy));
    }

    /** ZooKeeper cannot be asked: nobody knows when it will be back, and nothing is done without a lock until then. */
    @ExceptionHandler
    ProblemDetail unavailable(LockUnavailableException unavailable) {
        return lockProblem("Locks are not available", unavailable);
    }

    /** The lock was lost while the request was under way: what was not committed by then was rolled back. */
    @ExceptionHandler
    ProblemDetail lost(LockLostException lost) {
        return lockProblem("Lock lost", lost);
    }

    /** Names the field, where it is one that could not be read. */
    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unread, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (unread.getCause() instanceof DatabindException cause
                && !cause.getPath().isEmpty()) {
            String field = cause.getPath().get(0).getPropertyName();
            ProblemDetail problem =
                    ProblemDetail.forStatusAndDetail(status, field + " cannot be read: " + cause.getOriginalMessage());
            problem.setTitle("Not readable");
            return handleExceptionInternal(unread, problem, headers, status, request);
        }
        return super.handleHttpMessageNotReadable(unread, headers, status, request);
    }

    private static ProblemDetail lockProblem(String title, LockException failure) {
        ProblemDetail problem = problem(HttpStatus.SERVICE_UNAVAILABLE, title, failure);
        problem.setProperty("lock", failure.name().value());
        return problem;
    }

    private static ProblemDetail problem(HttpStatus status, String title, RuntimeException reason) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, reason.getMessage());
        problem.setTitle(title);
        return problem;
    }
}
