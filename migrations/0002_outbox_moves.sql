DROP TABLE `mod_announcements`;
