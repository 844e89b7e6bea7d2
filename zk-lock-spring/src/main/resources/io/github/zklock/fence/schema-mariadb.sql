create table if not exists zk_lock_fence (
    lock_name varchar(512) character set utf8mb4 collate utf8mb4_nopad_bin not null,
    token bigint not null,
    holder varchar(200) character set utf8mb4,
    raised_at datetime(6),
    primary key (lock_name)
) engine = innodb;
