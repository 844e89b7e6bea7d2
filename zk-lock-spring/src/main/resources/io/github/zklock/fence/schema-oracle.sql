create table zk_lock_fence (
    lock_name varchar2(512 char) not null,
    token number(19) not null,
    holder varchar2(200 char),
    raised_at timestamp(6),
    constraint zk_lock_fence_pk primary key (lock_name)
);
